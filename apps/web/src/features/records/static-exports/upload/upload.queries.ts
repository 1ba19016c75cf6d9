import type { UploadBundleQuery } from '@docket/api-types/artifacts'
import type { StartedStaticExport } from '@docket/api-types/static-exports'
import { useWrite } from '#features/records/static-exports/static-exports.queries.ts'
import { addOwnRecord } from '#lib/state/own-records.ts'
import { printQuery } from '#lib/address/query-string.ts'
import { sendFile } from '#lib/api/send-file.ts'

type Upload = {
  file: File
  about: UploadBundleQuery
  signal: AbortSignal
  onProgress: (part: number) => void
}

/** Uploads a bundle that no service exported for Docket. */
export const useUpload = () =>
  useWrite(
    async ({ file, about, ...sending }: Upload) => {
      const started = (await sendFile(
        `/api/static-exports/upload${printQuery(about)}`,
        file,
        sending,
      )) as StartedStaticExport
      addOwnRecord(started.export.exportId)
      return started
    },
    (started) => started.export,
  )
