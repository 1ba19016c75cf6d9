import { createStore } from '#lib/state/store.ts'
import { ApiError } from './api-error.ts'

/** Why the last call got no response from Docket; null after a call that did. */
export const connectivity = createStore<ApiError | null>(null)

export const isNoAnswer = (error: unknown): boolean => error instanceof ApiError && error.code === 'no_answer'

/** Returns the response of a call, and records whether there was one. */
export const noteConnectivity = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    const value = await answer
    connectivity.set(null)
    return value
  } catch (error) {
    if (error instanceof ApiError) connectivity.set(isNoAnswer(error) ? error : null)
    throw error
  }
}
