import { linkOptions } from '@tanstack/react-router'

export const buildExportLink = (exportId: string) => linkOptions({ to: '/exports/$exportId', params: { exportId } })
