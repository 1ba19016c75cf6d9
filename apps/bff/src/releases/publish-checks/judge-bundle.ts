import type { FindingLevel } from '@docket/api-types/artifacts'
import type { PublishCheck, PublishCheckSettings } from '@docket/api-types/publish-checks'
import type { BundleFacts } from '#bundles/check/bundle-report.ts'

type Compared = {
  candidate: BundleFacts
  /** The bundle that the channel shows. Null before its first release. `gone`: Docket no longer has that bundle. */
  current: BundleFacts | 'gone' | null
  /** Fingerprints that people accepted for the site. */
  accepted: ReadonlySet<string>
  /** People who approved these bytes, other than the person who proposed them. */
  approvals: number
}

type Judged = { passed: boolean; sentence: string }

/** Maximum number of examples in a message, and maximum length of each. */
const maxExamples = 3
const maxLength = 160

const passCheck = (sentence: string): Judged => ({ passed: true, sentence })
const failCheck = (sentence: string): Judged => ({ passed: false, sentence })
const passFirstRelease = (what: string) => passCheck(`This is the first release, so there ${what} to compare with.`)
const formatCount = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`
const gone = failCheck('Docket no longer has the bundle that is live here, so it can’t compare.')
const cutUntrusted = (untrusted: string) => {
  const text = untrusted.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return text.length > maxLength ? `${text.slice(0, maxLength - 1).trimEnd()}…` : text
}
const formatMegabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`

const judgeCheck = ({ candidate }: Compared): Judged =>
  candidate.unfinished === null
    ? passCheck('The check of the bundle finished.')
    : failCheck(`The check of the bundle did not finish. ${cutUntrusted(candidate.unfinished)}`)

/** New causes of a level, compared with the bundle that the channel shows. */
const judgeNew =
  (level: FindingLevel, [one, many]: readonly [string, string]) =>
  ({ candidate, current, accepted }: Compared): Judged => {
    if (current === null) return passFirstRelease('are no findings')
    if (current === 'gone') return gone
    const known = new Set(current.findings.map(({ fingerprint }) => fingerprint))
    const added = new Map(
      candidate.findings
        .filter((finding) => finding.level === level && !known.has(finding.fingerprint))
        .filter(({ fingerprint }) => !accepted.has(fingerprint))
        .map((finding) => [finding.fingerprint, finding]),
    )
    // An incomplete list of findings proves nothing.
    if (candidate.unfinished !== null) return failCheck(`The check did not finish, so nobody knows of new ${many}.`)
    if (added.size === 0) return passCheck(`No new ${many}.`)
    if (current.unfinished !== null)
      return failCheck(`The check of what is live did not finish, so nobody knows which ${many} are new.`)
    const examples = [...added.values()].slice(0, maxExamples).map(({ sentence }) => cutUntrusted(sentence))
    const more = added.size > maxExamples ? ' …' : ''
    return failCheck(`${formatCount(added.size, `new ${one}`, `new ${many}`)}: ${examples.join(' ')}${more}`)
  }

const judgePages =
  (maxFewer: number) =>
  ({ candidate, current }: Compared): Judged => {
    if (current === null) return passFirstRelease('are no pages')
    if (current === 'gone') return gone
    const fewer = current.pages - candidate.pages
    if (fewer <= 0) return passCheck(`${formatCount(candidate.pages, 'page', 'pages')}, ${current.pages} before.`)
    const share = (fewer / current.pages) * 100
    const sentence = `${candidate.pages} of ${formatCount(current.pages, 'page', 'pages')}: ${share.toFixed(1)} % fewer`
    return share > maxFewer ? failCheck(`${sentence}, more than ${maxFewer} %.`) : passCheck(`${sentence}.`)
  }

const judgeSize =
  (maxBytes: number) =>
  ({ candidate: { sizeBytes } }: Compared): Judged =>
    sizeBytes > maxBytes
      ? failCheck(`The bundle has ${formatMegabytes(sizeBytes)}, more than ${formatMegabytes(maxBytes)}.`)
      : passCheck(`The bundle has ${formatMegabytes(sizeBytes)}.`)

const hasSearch = ({ findings }: BundleFacts) => !findings.some(({ rule }) => rule === 'no-search')

const judgeSearch = ({ candidate, current }: Compared): Judged => {
  if (current === null) return passFirstRelease('is no search')
  if (current === 'gone') return gone
  if (!hasSearch(current)) return passCheck('The site had no search before.')
  return hasSearch(candidate) ? passCheck('The site still has its search.') : failCheck('The site has lost its search.')
}

const judgeApprovals =
  (needed: number) =>
  ({ approvals }: Compared): Judged => {
    const sentence = `${approvals} of ${formatCount(needed, 'approval', 'approvals')} by others.`
    return approvals >= needed ? passCheck(sentence) : failCheck(sentence)
  }

const skipCheck = (): null => null

/** A condition that the channel does not require is `off`. */
export const judgeBundle = (settings: PublishCheckSettings, compared: Compared): PublishCheck[] => {
  const { finishedCheck, noNewBreaks, noNewLeaks, maxFewerPages, maxBytes, sameSearch, approvals } = settings
  const judges: readonly [PublishCheck['condition'], (facts: Compared) => Judged | null, string][] = [
    ['finished_check', finishedCheck ? judgeCheck : skipCheck, 'The check need not finish.'],
    [
      'new_breaks',
      noNewBreaks ? judgeNew('breaks', ['broken link', 'broken links']) : skipCheck,
      'New broken links are allowed.',
    ],
    [
      'new_leaks',
      noNewLeaks ? judgeNew('leaks', ['outside request', 'outside requests']) : skipCheck,
      'New outside requests are allowed.',
    ],
    ['fewer_pages', maxFewerPages === null ? skipCheck : judgePages(maxFewerPages), 'Any number of pages may go.'],
    ['size', maxBytes === null ? skipCheck : judgeSize(maxBytes), 'A bundle of any size is allowed.'],
    ['same_search', sameSearch ? judgeSearch : skipCheck, 'The site may lose its search.'],
    ['approvals', approvals === 0 ? skipCheck : judgeApprovals(approvals), 'Nobody else has to approve.'],
  ]
  return judges.map(([condition, judge, without]) => {
    const judged = judge(compared)
    if (judged === null) return { condition, state: 'off', sentence: without }
    return { condition, state: judged.passed ? 'passed' : 'failed', sentence: judged.sentence }
  })
}
