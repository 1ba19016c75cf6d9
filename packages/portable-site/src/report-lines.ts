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
  | { kind: 'policy' }

/** Maximum lines for files of one kind; one more line counts the rest. */
const maxAlike = 1_000

/** Collects lines, one for each kind and host with the number of uses. */
export const collectLines = () => {
  const lines: ReportLine[] = []
  const cuts = new Map<string, { use: Use; host: string; count: number; why: string; page: string }>()
  const counted = new Map<
    string,
    { count: number; page: string; kind: ReportLine['kind']; say: (count: number) => string }
  >()
  const left = new Map<string, number>()
  /** Something that many pages share. */
  const count = (
    page: string,
    key: string,
    say: (count: number) => string,
    kind: ReportLine['kind'] = 'left-out',
  ): void => {
    const known = counted.get(key)
    if (known === undefined) counted.set(key, { count: 1, page, kind, say })
    else known.count += 1
  }
  return {
    /** A file or part that the bundle lacks. */
    leave: (file: string, what: string, kind: ReportLine['kind'] = 'left-out'): void => {
      const times = (left.get(what) ?? 0) + 1
      left.set(what, times)
      if (times <= maxAlike) lines.push({ page: null, file, kind, what })
    },
    remark: (page: string, remark: Remark): void => {
      if (remark.kind === 'cut') {
        const key = `${remark.use}\n${remark.host}\n${remark.why}`
        const known = cuts.get(key)
        if (known === undefined) cuts.set(key, { ...remark, count: 1, page })
        else known.count += 1
      } else if (remark.kind === 'policy')
        count(page, 'policy', (times) => `${times} × security policies, because the bundle has its own`)
      else {
        const first = remark.address.slice(0, 200)
        const say = (times: number) => `addresses of the site that lead nowhere: ${times}, the first to ${first}`
        count(page, 'missing', say, 'broken-link')
      }
    },
    count,
    finish: (): { lines: ReportLine[]; otherHosts: Record<string, number> } => {
      const hosts = new Map<string, number>()
      for (const { use, host, count, why, page } of cuts.values()) {
        hosts.set(host, (hosts.get(host) ?? 0) + count)
        const what = `${count} × ${nouns[use] ?? use} from ${host}${why === '' ? '' : `: ${why}`}`
        lines.push({ page, file: page, kind: 'left-out', what })
      }
      for (const { count, page, say, kind } of counted.values())
        lines.push({ page, file: page, kind, what: say(count) })
      for (const [what, count] of left)
        if (count > maxAlike)
          lines.push({ page: null, file: '', kind: 'left-out', what: `${count - maxAlike} more: ${what}` })
      const otherHosts = Object.fromEntries(
        [...hosts].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)),
      )
      return { lines, otherHosts }
    },
  }
}

export type Lines = ReturnType<typeof collectLines>
