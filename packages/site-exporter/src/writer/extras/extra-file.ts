/** File that a bundle has only for its formulas, diagrams or icons. */
export type ExtraFile = { file: string; content: string | Buffer }
