const longestRunMs = 36 * 60 * 60_000

/**
 * Since when a record has been changing: since the service created it, when that is plausible, else since Docket knows it. A
 * creation in the future or days ago comes from a clock that is wrong, or from a job that was taken up again since.
 */
export const changingSinceOf = ({ createdAt, knownAt }: { createdAt: Date | null; knownAt: Date }): Date => {
  const earlierMs = knownAt.getTime() - (createdAt?.getTime() ?? NaN)
  return createdAt !== null && earlierMs >= 0 && earlierMs <= longestRunMs ? createdAt : knownAt
}
