/** A pull or merge request. `address` compares equal for every page of it; `repository` is the last part of its repository's name. */
export type PullRequest = { address: string; repository: string }

const addressShape = /https?:\/\/[^\s'"<>]+/iu
const numberShape = /^(\/.*?\/(?:pulls?|pull-requests|pullrequest|merge_requests)\/\d{1,10})(?:\/|$)/iu

/** Finds the address of a pull request in text (GitHub, GitLab, Gitea, Bitbucket, Azure DevOps). Null if there is none. */
export const parsePullRequest = (text: string): PullRequest | null => {
  const found = addressShape.exec(text.slice(0, 4_000))
  const url = found && URL.parse(found[0])
  const path = url && numberShape.exec(url.pathname)?.[1]?.toLowerCase()
  if (!path) return null
  const [repository] = path
    .split('/')
    .slice(0, -2)
    .filter((part) => part !== '' && part !== '-')
    .slice(-1)
  if (repository === undefined) return null
  try {
    return { address: url.host + path, repository: decodeURIComponent(repository) }
  } catch {
    return null
  }
}
