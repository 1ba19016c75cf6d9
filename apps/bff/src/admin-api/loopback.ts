/** Whether a hostname, as `URL.hostname` writes it, can only mean this machine (RFC 6761 §6.3 for `localhost`). */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
