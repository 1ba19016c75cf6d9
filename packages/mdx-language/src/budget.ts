/** Remaining steps, and remaining characters and elements, for one page or file. */
export type Budget = { steps: number; size: number }

export const maxDepth = 200

/** Budget of one page and its imports: about a tenth of a second. */
export const createBudget = (steps = 300_000, size = 2_000_000): Budget => ({ steps, size })

/** Thrown when the budget is used up. All later values are unknown. */
export class OutOfBudget extends Error {}

/** Counts steps. Throws `OutOfBudget`. */
export const spendSteps = (budget: Budget, steps = 1): void => {
  budget.steps -= steps
  if (!(budget.steps >= 0)) throw new OutOfBudget('more steps than a page may take')
}

/** Counts characters, items or elements before they are created. Throws `OutOfBudget`. */
export const chargeSize = (budget: Budget, size: number): void => {
  budget.size -= size
  if (!(budget.size >= 0)) throw new OutOfBudget('more text than a page may make')
}
