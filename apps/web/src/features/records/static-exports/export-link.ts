import { linkOptions } from '@tanstack/react-router'

export const exportLink = (exportId: string) => linkOptions({ to: '/exports/$exportId', params: { exportId } })
