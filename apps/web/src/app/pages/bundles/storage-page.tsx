import { StorageView } from '#features/bundles/storage/storage-view.tsx'

/** What Docket stores. */
export const StoragePage = () => <StorageView />
