import type { Use } from '@docket/site-bundle/check/reference'
import type { ReportLine } from './export-files.ts'

/** What became of requests to other hosts. */
const nouns: Readonly<Partial<Record<Use, string>>> = {
  style: 'style sheets',
  script: 'scripts',
  font: 'fonts',
  image: 'pictures',
  media: 'audio and video',
  frame: 'frames, each replaced by a link',
  object: 'embedded documents, each replaced by a link',
  manifest: 'app manifests',
  icon: 'icons',
  hint: 'connections in advance',
  call: 'calls of scripts',
  redirect: 'redirects, which readers have to confirm now',
  form: 'forms, which can no longer be sent',
  ping: 'reports of clicks',
}

/** Something that a rewritten file lacks. Plain data, because caches keep it. */
export type Remark =
  | { kind: 'cut'; use: Use; host: string; why: string }
  | { kind: 'missing'; address: string }
  /** A part of a page that the bundle does without. */
  | { kind: 'setting'; name: string }
  | { kind: 'router'; name: string; built: string; isEmpty: boolean }

const toKey = (remark: Remark): string => {
  if (remark.kind === 'router') return `${remark.name}\n${remark.isEmpty}`
  if (remark.kind === 'setting') return remark.name
  return remark.kind === 'cut' ? `${remark.use}\n${remark.host}\n${remark.why}` : remark.kind
}

/** The first remark of a line, and the number of all. */
const describeRemark = (remark: Remark, count: number): string => {
  if (remark.kind === 'setting') return `${count} × ${remark.name}`
  if (remark.kind === 'missing')
    return `addresses of the site that lead nowhere: ${count}, the first to ${remark.address.slice(0, 200)}`
  if (remark.kind === 'cut')
    return `${count} × ${nouns[remark.use] ?? remark.use} from ${remark.host}${remark.why === '' ? '' : `: ${remark.why}`}`
  return remark.isEmpty
    ? `pages that show nothing without the scripts of ${remark.name}, and work only where the site was built for: ${count}`
    : `the scripts of ${remark.name} start only where the site was built for, such as at ${remark.built}; pages that stay as they were served elsewhere: ${count}`
}

/** Collects lines, one for what many pages share. */
export const collectLines = () => {
  const lines: ReportLine[] = []
  const shared = new Map<string, { count: number; page: string; remark: Remark }>()
  return {
    /** A file or part that the bundle lacks. */
    leave: (file: string, what: string, kind: ReportLine['kind'] = 'left-out') =>
      lines.push({ page: null, file, kind, what }),
    remark: (page: string, remark: Remark): void => {
      const key = toKey(remark)
      const known = shared.get(key)
      if (known === undefined) shared.set(key, { count: 1, page, remark })
      else known.count += 1
    },
    finish: (): { lines: ReportLine[]; otherHosts: Record<string, number> } => {
      const hosts = new Map<string, number>()
      for (const { count, page, remark } of shared.values()) {
        if (remark.kind === 'cut') hosts.set(remark.host, (hosts.get(remark.host) ?? 0) + count)
        const isMissing = remark.kind === 'missing'
        const [kind, what] = [isMissing ? 'broken-link' : 'left-out', describeRemark(remark, count)] as const
        lines.push({ page, file: page, kind, what, ...(isMissing && { inBundle: true }) })
      }
      const sorted = [...hosts].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
      return { lines, otherHosts: Object.fromEntries(sorted) }
    },
  }
}

export type Lines = ReturnType<typeof collectLines>
