import { StorageView } from '#features/storage/storage-view.tsx'

/** What Docket stores. */
export const StoragePage = () => <StorageView />
