import { helpAddress } from '#lib/address/help-address.ts'

/** Opens the user guide in a new tab. */
export const openHelp = (): void => void window.open(helpAddress(''), '_blank', 'noopener')
