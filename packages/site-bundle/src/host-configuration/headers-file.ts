import { forever, safeHeaders, type ConfigurationFile, type HostedSite } from './hosted-site.ts'
import { writeComment } from './text.ts'

/** Headers of `_headers` for an address. Both hosts join what several rules say about one header, so no rule repeats one. */
const writeRule = (address: string, headers: Readonly<Record<string, string>>) =>
  [address, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`), ''].join('\n')

/** Writes `_headers`. The hosts make browsers ask again for all other files by themselves. */
export const writeHeadersFile = (site: HostedSite, more: readonly string[]): ConfigurationFile => ({
  name: '_headers',
  text: [
    writeComment('#', [`Made by Docket from the bundle ${site.sha256}.`]),
    '',
    writeRule(`${site.path}*`, safeHeaders),
    ...site.hashedFolders.map((folder) => writeRule(`${folder}*`, { 'Cache-Control': forever })),
    ...more,
  ].join('\n'),
})

/** Writes the rule for the type of files with an ending, for hosts that allow a wildcard in front of it. */
export const writeTypeRule = (address: string, type: string): string => writeRule(address, { 'Content-Type': type })
