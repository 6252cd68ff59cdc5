#!/bin/sh
# A dev loop with Temporal's own command and JSON typed by hand: start, pause, look, resume, answer.
#
#   sh steer.sh /home/me/shop
set -eu
project=$(cd "$1" && pwd -P)
id="by-hand-$(date +%s)"
export TEMPORAL_ADDRESS="${TEMPORAL_ADDRESS:-127.0.0.1:7233}" TEMPORAL_NAMESPACE="${TEMPORAL_NAMESPACE:-ratchet}"

temporal workflow start --type devLoop --task-queue ratchet --workflow-id "$id" \
  --input "{\"project\":\"$project\",\"task\":\"make the calculator right\"}"

temporal workflow signal --workflow-id "$id" --name pause --input '{"mode":"turn","reason":"lunch"}'
temporal workflow query --workflow-id "$id" --type status
temporal workflow signal --workflow-id "$id" --name resume

# It asks what to do next.
until temporal workflow query --workflow-id "$id" --type questions --output json | grep -q askedAt; do sleep 1; done
temporal workflow query --workflow-id "$id" --type questions
temporal workflow update execute --workflow-id "$id" --name answer --input '{"choice":"exit"}'
temporal workflow result --workflow-id "$id"
