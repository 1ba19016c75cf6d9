import { PreviewWindow } from './preview-window.tsx'
import { usePreview } from './use-preview.ts'

type PreviewFrameProps = { exportId: string; path: string }

export const PreviewFrame = ({ exportId, path }: PreviewFrameProps) => (
  <PreviewWindow open={usePreview(exportId, path)} />
)
