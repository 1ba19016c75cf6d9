const escapeRest = (text: string) =>
  text.replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** Headers of a file that a browser saves under `fileName`, which may hold anything, and never shows. */
export const attachmentHeaders = (fileName: string, mediaType: string): Record<string, string> => ({
  'Accept-Ranges': 'bytes',
  'Cache-Control': 'no-store',
  'Content-Disposition': `attachment; filename="${fileName.replace(/[^\w.-]/g, '_')}"; filename*=UTF-8''${escapeRest(encodeURIComponent(fileName.toWellFormed()))}`,
  'Content-Type': mediaType,
  'X-Accel-Buffering': 'no',
})
