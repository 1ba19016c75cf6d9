// Test files share processes. A server of the local Admin API replaces the global Response, and what this module holds must have been
// made before that, as it is in Docket, where every import comes before the first server.
import '@hono/node-server/utils/response'
