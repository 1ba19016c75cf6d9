import { linkOptions } from '@tanstack/react-router'

/** Link to the page of an export. */
export const exportLink = (exportId: string) => linkOptions({ to: '/exports/$exportId', params: { exportId } })
