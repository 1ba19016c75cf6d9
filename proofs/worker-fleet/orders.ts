import { seeded } from '#bench/schedule/random.ts'

/** An export to start. */
export type Order = { domain: string; priority: 'normal' | 'low' }

/** The domain that asks for half of everything, before anybody else. */
export const greedy = 'greedy.example.com'

/** What is asked for at the start: half of it by one domain, the rest by the others, unequally, a fifth of it by people. */
export const drawOrders = (count: number, domains: number): Order[] => {
  const random = seeded(19)
  const half = Math.floor(count / 2)
  const rest = Array.from({ length: count - half }, (): Order => {
    const domain = `docs-${Math.floor(domains * random() ** 2)}.example.com`
    return { domain, priority: random() < 0.2 ? 'normal' : 'low' }
  })
  return [...Array.from({ length: half }, (): Order => ({ domain: greedy, priority: 'low' })), ...rest]
}

/** What small domains ask for while everything else waits: three exports each. */
export const drawLateOrders = (domains: number): Order[] =>
  Array.from({ length: 3 * domains }, (_, n) => ({ domain: `late-${n % domains}.example.com`, priority: 'low' }))
