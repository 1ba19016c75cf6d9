import { PreviewWindow } from './preview-window.tsx'
import { usePreview } from './use-preview.ts'

type PreviewFrameProps = {
  exportId: string
  path: string
}

/** One page of a stored bundle in a frame of its own that fills its container, to put into other pages. */
export const PreviewFrame = ({ exportId, path }: PreviewFrameProps) => (
  <PreviewWindow open={usePreview(exportId, path)} />
)
