#!/usr/bin/env bash
# What action.yml runs: gainful check, gate and report, with the options of gainful.toml or pyproject.toml. It runs anywhere.
#   GAINFUL_CONFIG   file of options; the nearest if empty
#   GAINFUL_OUTPUT   folder for gate.xml, badge.svg and report.html (default: gainful)
#   GAINFUL_REPORT   "false" leaves out the report
# Ends with 3 (or 2, 4) where the data or options are at fault, with 1 where the gate does not pass, else with 0.
set -uo pipefail

output=${GAINFUL_OUTPUT:-gainful}
mkdir -p "$output" || exit 2
options=()
if [ -n "${GAINFUL_CONFIG:-}" ]; then options=(--config "$GAINFUL_CONFIG"); fi
messages=$(mktemp)
trap 'rm -f "$messages"' EXIT

# annotate LEVEL TITLE: standard input as an annotation of the job; newlines and percent signs as GitHub wants them.
annotate() {
  local text
  text=$(sed -e 's/%/%25/g' -e 's/\r/%0D/g' | awk 'NR > 1 { printf "%%0A" } { printf "%s", $0 }')
  if [ -n "$text" ]; then printf '::%s title=%s::%s\n' "$1" "$2" "$text"; fi
}

# step NAME OPTION...: the command of that name; what it says on standard error is shown, and annotated as notes or an error.
step() {
  local name=$1 code
  shift
  echo "::group::gainful $name"
  gainful "$name" ${options[@]+"${options[@]}"} "$@" 2>"$messages"
  code=$?
  cat "$messages" >&2
  echo "::endgroup::"
  sed -n 's/^note: //p' "$messages" | annotate notice "gainful $name"
  if [ "$code" -ne 0 ]; then grep -v '^note: \|^options: ' "$messages" | annotate error "gainful $name"; fi
  return "$code"
}

step check
code=$?
if [ "$code" -ne 0 ]; then
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    { echo '### gainful check found errors'; echo '```'; cat "$messages"; echo '```'; } >>"$GITHUB_STEP_SUMMARY"
  fi
  exit "$code"
fi

step gate --junit "$output/gate.xml" --badge "$output/badge.svg"
gate=$?
if [ -n "${GITHUB_OUTPUT:-}" ] && [ -f "$output/badge.svg" ]; then
  sed -n 's/.*aria-label="search: \([^"]*\)".*/verdict=\1/p' "$output/badge.svg" >>"$GITHUB_OUTPUT"
fi
if [ "$gate" -gt 1 ]; then exit "$gate"; fi

if [ "${GAINFUL_REPORT:-true}" != false ]; then
  step report -o "$output/report.html" --overwrite || exit
fi
exit "$gate"
