import { helpAddress } from '#lib/address/help-address.ts'

export const openHelp = (): void => void window.open(helpAddress(''), '_blank', 'noopener')
