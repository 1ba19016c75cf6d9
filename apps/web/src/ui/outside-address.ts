import { createContext } from 'react'

/** Maps the address of another site to the `href` that links to it use. Unchanged unless the app provides a mapping. */
export const OutsideAddress = createContext((href: string): string => href)
