import { indentText } from '#lib/text/lines.ts'
import { printAgentJobScript, printExportScript, type SnippetChoice } from './snippet-scripts.ts'

export type SnippetTask = 'export' | 'agent-job'
export type SnippetPlace = 'shell' | 'github' | 'gitlab'

export const snippetFileName = (task: SnippetTask, place: SnippetPlace): string => {
  const name = task === 'export' ? 'export-docs' : 'watch-agent-job'
  return { shell: `${name}.sh`, github: `.github/workflows/${name}.yml`, gitlab: '.gitlab-ci.yml' }[place]
}

const printScript = (choice: SnippetChoice, task: SnippetTask, place: SnippetPlace) => {
  const run = {
    shell: '${DOCKET_RUN:-$(date +%s)-$$}',
    github: 'github $GITHUB_REPOSITORY $GITHUB_RUN_ID',
    gitlab: 'gitlab $CI_PROJECT_URL $CI_PIPELINE_ID',
  }[place]
  return task === 'export' ? printExportScript(choice, run) : printAgentJobScript(choice)
}

const printShellSnippet = (choice: SnippetChoice, task: SnippetTask) =>
  task === 'export'
    ? `#!/bin/sh
# Exports ${choice.domain} and downloads the bundle. The token of Docket is in ${choice.tokenVariable}.
# To try a run again without starting a second export, give it a name: DOCKET_RUN=nightly-2026-03-01 sh export-docs.sh
${printScript(choice, task, 'shell')}`
    : `#!/bin/sh
# Has Docket watch an agent job: AGENT_JOB_ID=… sh watch-agent-job.sh. The token of Docket is in ${choice.tokenVariable}.
${printScript(choice, task, 'shell')}`

const printGithubSnippet = (choice: SnippetChoice, task: SnippetTask) => {
  const { domain, tokenVariable } = choice
  const secret = `${tokenVariable}: \${{ secrets.${tokenVariable} }}`
  const run = indentText(printScript(choice, task, 'github'), 10)
  return task === 'export'
    ? `name: Export documentation
on:
  workflow_dispatch:
  push:
    branches: [main]
permissions: {}
# Docket refuses a second export of a domain while one runs.
concurrency: docket-${domain}
jobs:
  export:
    runs-on: ubuntu-latest
    timeout-minutes: 75
    steps:
      - name: Export and download
        env:
          ${secret}
        run: |
${run}      - uses: actions/upload-artifact@v4
        with:
          name: documentation
          path: ${domain}.*
          if-no-files-found: error
`
    : `name: Watch agent job
on:
  workflow_dispatch:
    inputs:
      job:
        description: Id of the agent job
        required: true
permissions: {}
jobs:
  watch:
    runs-on: ubuntu-latest
    timeout-minutes: 75
    steps:
      - name: Have Docket watch it
        env:
          ${secret}
          AGENT_JOB_ID: \${{ inputs.job }}
        run: |
${run}`
}

const printGitlabSnippet = (choice: SnippetChoice, task: SnippetTask) => {
  const { domain, tokenVariable } = choice
  const run = indentText(printScript(choice, task, 'gitlab'), 6)
  const variable = `# ${tokenVariable} is a masked variable of the project (Settings, CI/CD, Variables).`
  return task === 'export'
    ? `${variable}
export-docs:
  image: buildpack-deps:stable-curl
  timeout: 75 minutes
  # Docket refuses a second export of a domain while one runs.
  resource_group: docket-${domain}
  script:
    - |
${run}  artifacts:
    paths:
      - ${domain}.*
`
    : `${variable}
# AGENT_JOB_ID comes with the pipeline: from whoever starts it, or from the job that created the agent job.
watch-agent-job:
  image: buildpack-deps:stable-curl
  timeout: 75 minutes
  rules:
    - if: $AGENT_JOB_ID
  script:
    - |
${run}`
}

export const printSnippet = (choice: SnippetChoice, task: SnippetTask, place: SnippetPlace): string =>
  ({ shell: printShellSnippet, github: printGithubSnippet, gitlab: printGitlabSnippet })[place](choice, task)
