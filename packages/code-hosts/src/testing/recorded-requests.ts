import type { IncomingMessage } from 'node:http'

/** A pull request on the server. */
export type Pull = {
  number: number
  branch: string
  base: string
  state: 'open' | 'closed'
  merged: boolean
  title: string
  /** Everything else that a request to create it had, and what was added later. */
  more?: Record<string, unknown>
  /** Comes from a fork, or its branch is deleted. */
  origin?: 'fork' | 'deleted branch'
  draft?: boolean
  conflicts?: boolean
  /** Outcome of the only check of its head. Absent when it has no check. */
  check?: 'success' | 'failure' | 'pending'
}
/** A response. */
export type Reply = { status: number; json: unknown; headers?: Record<string, string> }

/** One request to the API, as the server saw it. */
export type RecordedRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}
