import { createContext } from 'react'

/** Words about exports by their ids, such as *Live*. */
export type ExportMarks = Map<string, readonly string[]>

export const noMarks: ExportMarks = new Map()

export const MarksContext = createContext(noMarks)
