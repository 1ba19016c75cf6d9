/** File of another host, or the reason why it is missing, as a sentence fragment. */
export type RemoteFile = { content: Buffer; type: string } | { problem: string }

/** Reads a file of another host, each address once. Null when the host is not allowed. */
export type ReadRemoteFile = (address: string, maxBytes: number) => Promise<RemoteFile | null>
