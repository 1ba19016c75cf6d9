import { createContext, use } from 'react'
import type { ApiError } from '#lib/api/api-error.ts'

/** Failure to reach Docket that the banner of the page shows; null when there is none, or no banner. */
export const ConnectivityContext = createContext<ApiError | null>(null)

/** The failure that the banner shows. Parts of the page do not repeat it. */
export const useConnectivityFailure = (): ApiError | null => use(ConnectivityContext)
