import { StorageView } from '#features/bundles/storage/storage-view.tsx'

export const StoragePage = () => <StorageView />
