/** A piece of work on a job. `upkeep` takes no place of the `work` that runs at once. `run` never rejects. */
export type Task = { id: string; projectId: string; kind: 'work' | 'upkeep'; run(): Promise<void> }

/**
 * Runs tasks oldest first: one at a time in each project, and at most `atOnce` with work over all projects. A task that hangs holds its
 * own project only.
 */
export const jobQueue = (atOnce: number) => {
  let waiting: Task[] = []
  const running = new Map<Task, Promise<void>>()
  let isClosed = false

  const start = (task: Task) => {
    waiting = waiting.filter((other) => other !== task)
    const end = task.run().finally(() => {
      running.delete(task)
      startNext()
    })
    running.set(task, end)
  }
  const startNext = () => {
    for (let task = pickNext([...running.keys()], waiting, atOnce); task && !isClosed;) {
      start(task)
      task = pickNext([...running.keys()], waiting, atOnce)
    }
  }
  return {
    add: (task: Task) => {
      waiting.push(task)
      startNext()
    },
    /** Takes the waiting work of a job out of the line. */
    drop: (id: string) => {
      waiting = waiting.filter((task) => task.id !== id || task.kind !== 'work')
    },
    /** Place in line of a waiting job; 1 is next. Null when it does not wait. */
    position: (id: string): number | null => planOrder([...running.keys()], waiting, atOnce).indexOf(id) + 1 || null,
    /** Starts nothing more, and resolves when what runs has ended. */
    close: async () => {
      isClosed = true
      await Promise.all(running.values())
    },
  }
}

const pickNext = (running: readonly Task[], waiting: readonly Task[], atOnce: number) => {
  const busy = new Set(running.map(({ projectId }) => projectId))
  const isFull = running.filter(({ kind }) => kind === 'work').length >= atOnce
  return waiting.find(({ projectId, kind }) => !busy.has(projectId) && (kind === 'upkeep' || !isFull))
}

/**
 * Ids of the waiting jobs in the order in which they will begin, as far as anybody can tell: tasks whose project nobody waits for end
 * first, then the oldest.
 */
const planOrder = (running: readonly Task[], waiting: readonly Task[], atOnce: number): string[] => {
  const order: string[] = []
  let [active, left] = [running, waiting.filter(({ kind }) => kind === 'work')]
  while (left.length > 0) {
    const next = pickNext(active, left, atOnce)
    if (next) {
      if (!order.includes(next.id)) order.push(next.id)
      active = [...active, next]
      left = left.filter((task) => task !== next)
    } else {
      const projects = new Set(left.map(({ projectId }) => projectId))
      const ended = active.find(({ projectId }) => !projects.has(projectId)) ?? active[0]
      active = active.filter((task) => task !== ended)
    }
  }
  return order
}
