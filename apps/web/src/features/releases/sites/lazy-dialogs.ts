import { lazyDialog } from '#ui/overlays/lazy.tsx'

export const PublishDialog = lazyDialog(async () => (await import('./publish/publish-dialog.tsx')).PublishDialog)

export const RollBackDialog = lazyDialog(async () => (await import('./channels/roll-back-dialog.tsx')).RollBackDialog)
