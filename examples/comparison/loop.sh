#!/bin/sh
# The usual loop: the same agent with the same prompt, until the tests pass.
#
# Usage: sh loop.sh claude -p "…"
until npm test; do
  "$@"
done
