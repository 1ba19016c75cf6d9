import { createContext } from 'react'

/** Turns the address of another site into the one that links to it use. The same, unless the app provides another way. */
export const OutsideAddress = createContext((href: string): string => href)
