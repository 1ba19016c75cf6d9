/** True for a request whose body is a file, which its route reads piece by piece. */
export const isUpload = (method: string, path: string): boolean =>
  method === 'POST' && path === '/api/static-exports/upload'
