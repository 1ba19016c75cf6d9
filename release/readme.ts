import type { Architecture } from './platforms.ts'

const names: Readonly<Record<Architecture, string>> = { x64: 'x86-64', arm64: 'ARM64' }

/** The README at the root of an archive. */
export const formatReadme = (
  version: string,
  commit: string,
  architecture: Architecture,
): string => `# Docket ${version}

For Linux on ${names[architecture]} with glibc 2.28 or newer. Built from commit ${commit}.
${
  architecture === 'arm64'
    ? `
**Not run.** This archive was built on another kind of machine from the ARM64 packages of Node and PostgreSQL, the same
way as the one for x86-64. Nobody has started it. Try it with an empty \`DATA_DIR\` before you rely on it.
`
    : ''
}
    ./docket start

Docket prints its address and, at the first start, a link that creates the first admin. It keeps its data in \`DATA_DIR\`,
by default \`~/.local/share/docket\`, and writes nothing else but temporary files, so this folder can be read-only and
belong to root. It needs glibc, libstdc++, \`/bin/sh\` and an entry for its user in \`/etc/passwd\`. Install \`git\` for
repositories and agent jobs, and bubblewrap if an agent works on prompts.

| File | Contents |
| --- | --- |
| \`docket\` | Starts Docket and runs its commands. \`./docket help\` lists them |
| \`docs/operating.md\` | How to run it; _Installing a release_ and _Upgrade_ first |
| \`docs/configuration.md\` | All settings, which are environment variables |
| \`CHANGELOG.md\` | What is new |
| \`LICENSES.txt\` | Licences of everything in this folder |
`
