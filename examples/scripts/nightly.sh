#!/bin/sh
# The same as nightly.ts with Temporal's own command.
#
#   sh nightly.sh /home/me/shop
set -eu
project=$(cd "$1" && pwd -P)
export TEMPORAL_ADDRESS="${TEMPORAL_ADDRESS:-127.0.0.1:7233}" TEMPORAL_NAMESPACE="${TEMPORAL_NAMESPACE:-ratchet}"

temporal schedule create --schedule-id nightly-by-hand \
  --cron '0 2 * * *' --time-zone Europe/Berlin --overlap-policy Skip --catchup-window 6h \
  --workflow-id nightly-by-hand --type testFixCycle --task-queue ratchet \
  --input "{\"project\":\"$project\"}"

# A run at once, under the id nightly-by-hand-<time>.
temporal schedule trigger --schedule-id nightly-by-hand
