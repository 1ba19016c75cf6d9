import { seedRecordsAt } from '#apps/bff/src/testing/seed-records.ts'
import { listQuestions, openLists } from '#apps/bff/src/testing/time-lists.ts'
import { digits, line, type Line, type Row } from '#bench/harness/row.ts'
import { median } from '#bench/harness/statistics.ts'

/** Asks two databases in turns. A question that takes seconds is asked fewer times. */
export const compareLists = async (
  urls: { small: string; large: string },
  rounds: number,
  log: (one: Line) => void,
): Promise<Line[]> => {
  const [small, large] = await Promise.all([openLists(urls.small), openLists(urls.large)])
  try {
    const lines: Line[] = []
    const add = (one: Line): void => {
      lines.push(one)
      log(one)
    }
    for (const name of listQuestions) {
      const times = { small: [] as number[], large: [] as number[] }
      // The first of each warms up the connection and what the database has cached.
      const firstMs = Math.max(await small.ask(name), await large.ask(name))
      const count = firstMs > 2_000 ? 3 : rounds
      for (let n = 0; n < count; n += 1) {
        times.small.push(await small.ask(name))
        times.large.push(await large.ask(name))
      }
      const [few, many] = [median(times.small), median(times.large)]
      add(line(`${name}: ms`, digits(many), digits(few), many / few, { atMost: 2 }))
    }
    for (const { name, size } of (await large.sizes()).slice(0, 3))
      add(line(`size of ${name}: MB`, digits(size / 1e6), '', size / 1e6))
    return lines
  } finally {
    await Promise.all([small.close(), large.close()])
  }
}

/** Lists that became ten times as long. */
export const growth: Row = {
  name: 'growth',
  title: 'Growing lists',
  method:
    'The functions behind the list of exports read pages of 50 with all their counts from 100,000 and from 1,000,000 exports, in turns, without HTTP and without the caches of a Docket. The reference is the smaller list. With --quick, the lists have 20,000 and 200,000 exports.',
  run: async ({ quick, databases }) => {
    const server = await databases()
    const seed = (exports: number) =>
      server.database((url) => seedRecordsAt(url, { exports, jobs: 0, active: 10, now: Date.now() }))
    const small = await seed(quick ? 20_000 : 100_000)
    const large = await seed(quick ? 200_000 : 1_000_000)
    return compareLists({ small, large }, quick ? 20 : 40, () => {})
  },
}
