/** Values of a snippet: only letters, digits and `.-_~:@`, so that none can end a quoted string. */
export type SnippetChoice = {
  docket: string
  /** Variable for the token. No snippet contains the token itself. */
  tokenVariable: string
  domain: string
  projectId: string
  delivery: 'stream' | 'redirect'
}

const printScriptOpening = ({ docket, tokenVariable }: SnippetChoice) => `set -eu
docket='${docket}'
minutes=60

deadline=$(($(date +%s) + minutes * 60))
work=$(mktemp -d ./docket.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# In a file, for everybody on the machine can read the arguments of a program.
(umask 077 && printf 'Authorization: Bearer %s\\n' "$${tokenVariable}" > "$work/token")

say() { echo "docket: $*" >&2; }
fail() { say "$*"; exit 1; }

# The text of a field of the last answer.
field() { sed -n -E 's/.*"'"$1"'":"(([^"\\\\]|\\\\.)*)".*/\\1/p' "$work/answer"; }

# Waits as long as Docket asks for, else 5 seconds, until the minutes are over.
pause() {
  [ "$(date +%s)" -lt "$deadline" ] || fail "gave up after $minutes minutes"
  seconds=$(sed -n 's/^[Rr]etry-[Aa]fter: *\\([0-9][0-9]*\\).*/\\1/p' "$work/headers")
  [ "\${seconds:-5}" -le 300 ] || seconds=300
  sleep "\${seconds:-5}"
}

# call METHOD PATH [OPTIONS OF CURL]: $status and $work/answer. Asks again where no answer came; every call here may be repeated.
call() {
  method=$1 path=$2
  shift 2
  while :; do
    : > "$work/headers" && : > "$work/answer"
    status=$(curl -sS --connect-timeout 20 --speed-limit 1 --speed-time 60 -X "$method" -H "@$work/token" \\
      -D "$work/headers" -o "$work/answer" -w '%{http_code}' "$@" "$docket$path") || status=000
    case $status in
      2?? | 304) return ;;
      000 | 429 | 502 | 503 | 504) say "$method $path: $status, trying again" && pause ;;
      *) fail "$method $path: $status $(field message)" ;;
    esac
  done
}
`

const verified = `# Docket knows the format from the first bytes: .tar.gz, .zip, .tar.zst or .tar.
ending=$(sed -n 's/^[Cc]ontent-[Dd]isposition:.*filename="[^"]*-[0-9]*\\(\\.[a-z.]*\\)".*/\\1/p' "$work/headers")
file="$domain\${ending:-.bundle}"
# Docket writes down the sum of what it sent once it has sent the last byte.
for attempt in 1 2 3 4 5; do
  call GET "/api/static-exports/$id"
  [ "$(field sha256)" != "$sum" ] || break
  pause
done
[ "$(field sha256)" = "$sum" ] || fail "what arrived is not what Docket sent: $sum, $(field sha256)"
mv "$work/bundle" "$file"
say "$file is complete, SHA-256 $sum"
`

const unverified = `# This Docket sends programs on to the storage (BUNDLE_DELIVERY=redirect). It never sees the bundle, so it knows neither sum nor format.
file="$domain.tar.gz"
gzip -t "$work/bundle" || fail 'the bundle is damaged'
mv "$work/bundle" "$file"
say "$file, SHA-256 $sum, which nothing could be compared with"
`

/** POSIX shell: starts an export once for each `run`, waits for its end, downloads the bundle and verifies it. Needs curl and sed. */
export const printExportScript = (choice: SnippetChoice, run: string) => `${printScriptOpening(choice)}
domain='${choice.domain}'
# Names the run. A retry of it finds the export that it started, also a failed one, and starts no second.
run="${run}"

sha256() { if command -v sha256sum > /dev/null; then sha256sum; else shasum -a 256; fi | cut -c 1-64; }

# Made with the token too, so that nobody else can guess it.
request=$(printf %s "$run $domain $${choice.tokenVariable}" | sha256 | sed -E 's/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/\\1-\\2-8\\3-8\\4-\\5/')
call POST /api/static-exports -H 'Content-Type: application/json' -d "{\\"requestId\\":\\"$request\\",\\"domain\\":\\"$domain\\"}"
id=$(field exportId)
say "$docket/exports/$id"

etag=
while :; do
  call GET "/api/static-exports/$id" \${etag:+-H "If-None-Match: $etag"}
  if [ "$status" = 200 ]; then
    state=$(field state)
    etag=$(sed -n 's/^[Ee][Tt]ag: *\\([^ ]*"\\).*/\\1/p' "$work/headers")
    [ -z "$(field goneAt)" ] || fail 'the service does not know this export any more'
  fi
  case $state in
    completed) break ;;
    starting | accepted) pause ;;
    unknown) fail 'the service did not answer: a person decides in Docket whether the export was started' ;;
    *) fail "the export is $state: $(field reason)" ;;
  esac
done

call GET "/api/static-exports/$id/download" -L
mv "$work/answer" "$work/bundle"
sum=$(sha256 < "$work/bundle")
${choice.delivery === 'stream' ? verified : unverified}`

/** POSIX shell: makes Docket watch the agent job that `AGENT_JOB_ID` names. Needs curl and sed. */
export const printAgentJobScript = (choice: SnippetChoice) => `${printScriptOpening(choice)}
project='${choice.projectId}'
job="\${AGENT_JOB_ID:?names the agent job to watch}"
case $job in *[!A-Za-z0-9._~:@-]*) fail "this is no id of an agent job: $job" ;; esac

call POST /api/agent-jobs -H 'Content-Type: application/json' -d "{\\"jobs\\":[{\\"projectId\\":\\"$project\\",\\"id\\":\\"$job\\"}]}"
[ -n "$(field followedAt)" ] || fail "$(field message)"
say "$docket/agent-jobs/$project/$job"
`
