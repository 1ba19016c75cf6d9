/** File of another host, or why it is not here: half a sentence. */
export type RemoteFile = { content: Buffer; type: string } | { problem: string }

/** Reads a file of another host, each address once. Null when no export may read from that host. */
export type ReadRemoteFile = (address: string, maxBytes: number) => Promise<RemoteFile | null>
