import { indentText } from '#lib/text/lines.ts'

/** The channel of a snippet. Labels and channels have letters, digits and dashes only, so that none can end a quoted string. */
export type SnippetChannel = {
  /** Origin of this Docket, such as `https://docket.example.com`. */
  origin: string
  site: string
  channel: string
  /** True for a public channel, whose snippet needs no token. */
  isPublic: boolean
}

export const snippetPlaces = ['curl', 'kubernetes', 'helm', 'compose', 'github'] as const
export type SnippetPlace = (typeof snippetPlaces)[number]

export const placeNames: Readonly<Record<SnippetPlace, string>> = {
  curl: 'curl',
  kubernetes: 'Kubernetes',
  helm: 'Helm values',
  compose: 'Docker Compose',
  github: 'GitHub Actions',
}

export const snippetFiles: Readonly<Record<SnippetPlace, string>> = {
  curl: 'download-docs.sh',
  kubernetes: 'docs.yaml',
  helm: 'values.yaml',
  compose: 'compose.yaml',
  github: '.github/workflows/download-docs.yml',
}

/** The address of a channel's bundle, which stays the same for every release. */
export const printBundleAddress = (
  { origin, site, channel }: Omit<SnippetChannel, 'isPublic'>,
  ending = 'tar.gz',
): string => `${origin}/sites/${site}/${channel}/bundle.${ending}`

const withToken = `# In a file, because everyone on the machine can read the arguments of a program.
(umask 077 && printf 'Authorization: Bearer %s\\n' "$DOCKET_TOKEN" > token)
trap 'rm -f token' EXIT
trap 'exit 1' HUP INT TERM
get() { curl -fsS --connect-timeout 20 --speed-limit 1 --speed-time 60 -H @token "$@"; }
`
const withoutToken = `get() { curl -fsS --connect-timeout 20 --speed-limit 1 --speed-time 60 "$@"; }
`

/** POSIX shell, including busybox: leaves the verified bundle in `$sum.tar.gz`. Needs curl and sha256sum. */
const printDownloadScript = (of: SnippetChannel) => `set -eu
# If the service made the bundle as a ZIP, this answers 404: replace tar.gz with zip, and tar -xzf … -C with unzip … -d.
address='${printBundleAddress(of)}'
${of.isPublic ? withoutToken : withToken}
# The address moves with the channel. It leads to one that never shows other bytes, so a download can go on there.
find_url() {
  url=$(get --retry 5 -o /dev/null -w '%{redirect_url}' "$address")
  sum=\${url#*/sha256/}
  sum=\${sum%%/*}
}

find_url
tries=0
until get -C - -o "$sum.tar.gz" "$url"; do
  # 22: Docket answered, and has no rest to send.
  [ $? -ne 22 ] || { rm -f "$sum.tar.gz" && find_url; }
  tries=$((tries + 1))
  [ "$tries" -le 20 ] || { echo "docket: gave up downloading $address" >&2; exit 1; }
  sleep 2
done
echo "$sum  $sum.tar.gz" | sha256sum -c
`

const unpack = `# Everything of the bundle before goes.
find /site -mindepth 1 -delete
tar -xzf "$sum.tar.gz" -C /site
`

const printTokenNote = ({ isPublic }: SnippetChannel, note: string) => (isPublic ? '' : `# ${note}\n`)

const printCurlSnippet = (of: SnippetChannel) => `#!/bin/sh
# Downloads what ${of.channel} of ${of.site} shows now into bundle.tar.gz, goes on after interruptions, and verifies it.
${printTokenNote(of, 'An API token limited to this channel is in DOCKET_TOKEN.')}${printDownloadScript(of)}mv "$sum.tar.gz" bundle.tar.gz
`

const volumes = `- name: docs
  emptyDir: {}
`

const printInitContainers = (of: SnippetChannel) => `- name: docs
  # Any image with curl, tar and sha256sum.
  image: curlimages/curl:8.16.0
  workingDir: /tmp
${
  of.isPublic
    ? ''
    : `  env:
    - name: DOCKET_TOKEN
      valueFrom:
        secretKeyRef:
          name: docket
          key: token
`
}  command:
    - /bin/sh
    - -c
    - |
${indentText(printDownloadScript(of) + unpack, 6)}  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    allowPrivilegeEscalation: false
    capabilities:
      drop: [ALL]
    seccompProfile:
      type: RuntimeDefault
  volumeMounts:
    - name: docs
      mountPath: /site
`

const secretNote =
  'First: kubectl create secret generic docket --from-file=token, with an API token limited to this channel.'

const printKubernetesSnippet = (
  of: SnippetChannel,
) => `# Serves what ${of.channel} of ${of.site} shows when a pod starts.
# After publishing: kubectl rollout restart deployment/docs
${printTokenNote(of, secretNote)}apiVersion: apps/v1
kind: Deployment
metadata:
  name: docs
spec:
  replicas: 2
  selector:
    matchLabels:
      app: docs
  template:
    metadata:
      labels:
        app: docs
    spec:
      initContainers:
${indentText(printInitContainers(of), 8)}      containers:
        - name: nginx
          image: nginxinc/nginx-unprivileged:1.29-alpine
          ports:
            - containerPort: 8080
          securityContext:
            runAsNonRoot: true
            allowPrivilegeEscalation: false
            capabilities:
              drop: [ALL]
            seccompProfile:
              type: RuntimeDefault
          volumeMounts:
            - name: docs
              mountPath: /usr/share/nginx/html
              readOnly: true
      volumes:
${indentText(volumes, 8)}`

const printHelmSnippet = (
  of: SnippetChannel,
) => `# For a chart with these three values, as many charts of web servers have.
# After publishing, restart its pods: kubectl rollout restart deployment/<name>
${printTokenNote(of, secretNote)}initContainers:
${indentText(printInitContainers(of), 2)}extraVolumes:
${indentText(volumes, 2)}extraVolumeMounts:
  - name: docs
    # The folder that the web server serves.
    mountPath: /usr/share/nginx/html
    readOnly: true
`

// Compose would expand a single dollar sign as a variable.
const escapeForCompose = (text: string) => text.replaceAll('$', '$$$$')

const printComposeSnippet = (of: SnippetChannel) => `# Serves what ${of.channel} of ${of.site} shows when it starts.
# After publishing: docker compose up --force-recreate -d
${printTokenNote(of, 'An API token limited to this channel is in DOCKET_TOKEN, such as in the file .env.')}services:
  download:
    # Any image with curl, tar and sha256sum.
    image: curlimages/curl:8.16.0
    # The volume belongs to root.
    user: '0:0'
    working_dir: /tmp
${
  of.isPublic
    ? ''
    : `    environment:
      DOCKET_TOKEN: \${DOCKET_TOKEN:?is the API token of Docket}
`
}    entrypoint: [/bin/sh, -c]
    command:
      - |
${indentText(escapeForCompose(printDownloadScript(of) + unpack), 8)}    volumes:
      - docs:/site
  nginx:
    image: nginx:1.29-alpine
    depends_on:
      download:
        condition: service_completed_successfully
    ports:
      - '8080:80'
    volumes:
      - docs:/usr/share/nginx/html:ro
volumes:
  docs: {}
`

const printGithubSnippet = (of: SnippetChannel) => `name: Download documentation
on:
  workflow_dispatch:
  schedule:
    - cron: '17 4 * * *'
permissions: {}
jobs:
  download:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - name: Download and verify
${
  of.isPublic
    ? ''
    : `        env:
          # An API token limited to this channel.
          DOCKET_TOKEN: \${{ secrets.DOCKET_TOKEN }}
`
}        run: |
${indentText(`${printDownloadScript(of)}mkdir site\ntar -xzf "$sum.tar.gz" -C site\n`, 10)}      - uses: actions/upload-artifact@v4
        with:
          name: documentation
          path: site
          if-no-files-found: error
`

const writers = {
  curl: printCurlSnippet,
  kubernetes: printKubernetesSnippet,
  helm: printHelmSnippet,
  compose: printComposeSnippet,
  github: printGithubSnippet,
} satisfies Record<SnippetPlace, (of: SnippetChannel) => string>

/** Text of a snippet that downloads, resumes and verifies the bundle of a channel, ready to copy. It contains no token. */
export const printBundleSnippet = (of: SnippetChannel, place: SnippetPlace): string => writers[place](of)
