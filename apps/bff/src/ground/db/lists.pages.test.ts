import { randomUUID } from 'node:crypto'
import { AgentJobListQuery } from '@docket/api-types/agent-jobs'
import { asc, eq } from 'drizzle-orm'
import { array, assert, asyncProperty, boolean, constantFrom, integer, option, record } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everything } from '#ground/http/access/token-scope.ts'
import { readAgentJobPage } from '#records/agent-jobs/agent-jobs.list.ts'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { connections } from '#ground/db/connections.table.ts'
import { testDatabase } from '#testing/database.ts'

const database = await testDatabase()
const { db } = database
afterAll(database.drop)

const now = Date.UTC(2026, 4, 1)
const repositories = [null, 'https://github.com/acme/docs', 'https://github.com/acme/site', 'git@host:a/b']
const statuses = ['active', 'completed', 'failed', 'archived']

type Made = { id: string; repository: string | null; model: string; status: string; followedAt: Date; finishedAt: Date }

/** Twelve of every kind, many at one instant. */
const seeds: Made[] = Array.from({ length: 192 }, (_, n) => ({
  id: `job_${String((n * 37) % 192).padStart(3, '0')}`,
  repository: repositories[n % 4]!,
  model: n % 3 === 0 ? 'opus-4' : 'sonnet-4',
  status: statuses[(n >> 2) % 4]!,
  followedAt: new Date(now - Math.floor(n / 5) * 1_000),
  finishedAt: new Date(now - (n % 2) * 48 * 3_600_000),
}))

beforeAll(async () => {
  await db.update(connections).set({ goneAt: null })
  await db.insert(agentJobs).values(seeds.map((job) => ({ projectId: 'docs', ...job })))
})

const asIs = (id: string) => eq(agentJobs.id, id)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const newest = (a: Made, b: Made) => b.followedAt.getTime() - a.followedAt.getTime() || compare(a.id, b.id)

// The database says how it sorts text; null comes last.
const placesOfRepositories = async () => {
  const rows = await db
    .selectDistinct({ repository: agentJobs.repository })
    .from(agentJobs)
    .orderBy(asc(agentJobs.repository))
  return new Map(rows.map(({ repository }, place) => [repository, place]))
}

type Wanted = {
  sort: 'newest' | 'oldest' | 'repository'
  group?: string
  repository?: string
  model?: string
  attention?: string
  q?: string
  from?: string
  to?: string
}

const toGroup = ({ status }: Made) =>
  status === 'active' ? 'working' : status === 'completed' ? 'no_pull_request' : status

const expected = async ({ sort, group, repository, model, attention, q, from, to }: Wanted): Promise<Made[]> => {
  const places = await placesOfRepositories()
  const words = (q ?? '').toLowerCase().match(/[a-z0-9]+/g) ?? []
  const found = seeds.filter(
    (job) =>
      (group === undefined || toGroup(job) === group) &&
      (repository === undefined || job.repository === repository) &&
      (model === undefined || job.model === model) &&
      (from === undefined || job.followedAt.getTime() >= Date.parse(from)) &&
      (to === undefined || job.followedAt.getTime() < Date.parse(to)) &&
      (attention !== 'true' || job.status === 'failed') &&
      words.every((word) =>
        `docs ${job.id} ${job.repository ?? ''} ${job.model}`.split(/[^a-z0-9]+/).some((own) => own.startsWith(word)),
      ),
  )
  const order = {
    newest,
    oldest: (a: Made, b: Made) => newest(b, a),
    repository: (a: Made, b: Made) => places.get(a.repository)! - places.get(b.repository)! || newest(a, b),
  }
  return found.toSorted(order[sort])
}

const page = (query: object) => readAgentJobPage(db, AgentJobListQuery.parse(query), { ...everything, now })
const wanted = record(
  {
    sort: constantFrom('newest', 'oldest', 'repository'),
    group: constantFrom('working', 'failed', 'no_pull_request', 'gone'),
    repository: constantFrom('https://github.com/acme/docs', 'git@host:a/b', 'nowhere'),
    model: constantFrom('opus-4', 'sonnet-4'),
    attention: constantFrom('true', 'false'),
    from: constantFrom(new Date(now - 30_000).toISOString(), '2026-05-01T01:59:45+02:00'),
    to: constantFrom(new Date(now - 7_000).toISOString(), '2026-05-02T00:00:00Z'),
    q: constantFrom('acme', 'JOB 1', "do'cs github", 'opus & sonnet', 'git@host:a', 'ob_1', '-'),
  },
  { requiredKeys: ['sort'] },
)

test('for any query, consecutive pages contain exactly the matching records, in order', async () => {
  await assert(
    asyncProperty(wanted, integer({ min: 3, max: 50 }), async (query, limit) => {
      const all = (await expected(query as Wanted)).map(({ id }) => id)
      const { group: _, attention: __, ...anyState } = query as Wanted
      const within = await expected(anyState)
      const troubled = await expected({ ...anyState, attention: 'true' })
      const exact = (count: number) => ({ count, more: false })
      const ids: string[] = []
      let cursor: string | null | undefined
      do {
        const { items, nextCursor, counts } = await page({ ...query, limit, ...(cursor ? { cursor } : {}) })
        ids.push(...items.map(({ id }) => id))
        if (counts.matching !== null) expect(counts.matching).toEqual(exact(all.length))
        if (counts.filtered) {
          expect([counts.filtered.all, counts.filtered.attention]).toEqual([within.length, troubled.length].map(exact))
          for (const [group, count] of Object.entries(counts.filtered.groups))
            expect([group, count]).toEqual([group, exact(within.filter((job) => toGroup(job) === group).length)])
        }
        cursor = nextCursor
      } while (cursor !== null)
      expect(ids).toEqual(all)
    }),
    { numRuns: 30 },
  )
})

test.each(['newest', 'oldest', 'repository'] as const)(
  'sorted by %s, pages between two cursors join up while records change, and report when they overflow',
  async (sort) => {
    const change = record({
      at: integer({ min: 0, max: 191 }),
      add: boolean(),
      where: option(constantFrom(...repositories.slice(1))),
    })
    await assert(
      asyncProperty(array(change, { maxLength: 12 }), integer({ min: 20, max: 50 }), async (changes, limit) => {
        const cuts: string[] = []
        for (let cursor: string | null = null; ;) {
          const { nextCursor } = await page({ sort, limit, ...(cursor === null ? {} : { cursor }) })
          if (nextCursor === null) break
          cuts.push((cursor = nextCursor))
        }
        const added: string[] = []
        const removed = new Set<string>()
        for (const { at, add, where } of changes) {
          if (add) {
            const id = `new_${randomUUID()}`
            added.push(id)
            await db.insert(agentJobs).values({ ...seeds[at]!, projectId: 'docs', id, repository: where })
          } else removed.add(seeds[at]!.id)
        }
        for (const id of removed)
          await db
            .update(agentJobs)
            .set({ removedAt: new Date(now) })
            .where(asIs(id))
        try {
          const ids: string[] = []
          for (const [from, until] of [undefined, ...cuts].map((cut, place) => [cut, cuts[place]])) {
            let cursor: string | null | undefined = from
            do {
              const query = { sort, limit, ...(cursor ? { cursor } : {}), ...(until === undefined ? {} : { until }) }
              const { items, nextCursor } = await page(query)
              ids.push(...items.map(({ id }) => id))
              cursor = nextCursor
            } while (cursor !== null)
          }
          const whole: string[] = []
          for (let cursor: string | null | undefined; cursor !== null;) {
            const { items, nextCursor } = await page({ sort, ...(cursor ? { cursor } : {}) })
            whole.push(...items.map(({ id }) => id))
            cursor = nextCursor
          }
          expect(ids).toEqual(whole)
          expect(new Set(whole)).toEqual(
            new Set([...seeds.map(({ id }) => id).filter((id) => !removed.has(id)), ...added]),
          )
        } finally {
          for (const id of added) await db.delete(agentJobs).where(asIs(id))
          for (const id of removed) await db.update(agentJobs).set({ removedAt: null }).where(asIs(id))
        }
      }),
      { numRuns: 5 },
    )
  },
)

test('a page whose end lies before its start is empty', async () => {
  for (const sort of ['newest', 'oldest', 'repository']) {
    const first = await page({ sort, limit: 10 })
    const second = await page({ sort, limit: 50, cursor: first.nextCursor! })
    const third = await page({ sort, limit: 50, cursor: second.nextCursor! })
    for (const cursor of [second.nextCursor!, third.nextCursor!])
      expect(await page({ sort, cursor, until: first.nextCursor! })).toMatchObject({ items: [], nextCursor: null })
  }
})

test('a forged cursor, or one of another order, is refused with an error for its field', async () => {
  const { nextCursor: byRepository } = await page({ sort: 'repository', limit: 1 })
  const { nextCursor: byAge } = await page({ limit: 1 })
  const refused = [
    { sort: 'newest', cursor: byRepository },
    { sort: 'repository', until: byAge },
    { cursor: 'x' },
    { until: Buffer.from('[1,["docs"]]').toString('base64url') },
  ]
  for (const query of refused) {
    const error = await page(query).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(AppError)
    expect((error as AppError).details.field).toBe('until' in query ? 'until' : 'cursor')
  }
})

test.each([
  `'`,
  `''); drop table agent_jobs; --`,
  'a & b | !c <-> d',
  ':*',
  '\\',
  `docs' | 'x`,
  '🚀🚀',
  '🚀 docs',
  'x'.repeat(200),
  '...',
  '   ',
  'É́é',
  '\u202Edocs',
  '<b>docs</b> &amp;',
  '-5 +6 1e5 0x1f',
])('a search for the words %j never fails', async (q) => {
  const { counts } = await page({ q })
  // Without a letter or digit nothing is asked for.
  expect(counts.matching === null).toBe(!/[\p{L}\p{N}]/u.test(q))
})
