/** What a response of a preview says about itself. `own` is a source of the policy: the files of the preview. */
export type PreviewFrame = {
  isolation: 'own_host' | 'sandbox'
  /** `'self'`, or the address of the sandbox with a slash at its end. */
  own: string
  framedBy: string
  /** Address that takes reports of violations. */
  reports: string
}

/** Every feature that a policy may name and that a page could use against its reader. */
const features =
  'accelerometer autoplay browsing-topics camera clipboard-read clipboard-write compute-pressure display-capture encrypted-media fullscreen gamepad geolocation gyroscope hid identity-credentials-get idle-detection keyboard-map local-fonts local-network-access magnetometer microphone midi otp-credentials payment picture-in-picture publickey-credentials-create publickey-credentials-get screen-wake-lock serial speaker-selection storage-access unload usb window-management xr-spatial-tracking'

/** Headers of everything at an address of a preview, errors included. */
const always: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': features
    .split(' ')
    .map((name) => `${name}=()`)
    .join(', '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'X-DNS-Prefetch-Control': 'off',
  'X-Robots-Tag': 'noindex',
  // Chromium then also blocks what no content security policy names: WebRTC and connections opened ahead of need.
  'Connection-Allowlist': '(response-origin)',
}

const buildPolicy = ({ isolation, own, framedBy, reports }: PreviewFrame): string =>
  [
    `default-src ${own} 'unsafe-inline' 'unsafe-eval' data: blob:`,
    "object-src 'none'",
    `base-uri ${own}`,
    `form-action ${own}`,
    `frame-ancestors ${isolation === 'own_host' ? "'self' " : ''}${framedBy}`,
    `sandbox allow-scripts allow-forms${isolation === 'own_host' ? ' allow-same-origin' : ''}`,
    `report-uri ${reports}`,
  ].join('; ')

/** Headers of a file of a preview. An opaque origin loads its own fonts and modules only with permission. */
export const buildPreviewHeaders = (frame: PreviewFrame): Record<string, string> => ({
  ...always,
  'Content-Security-Policy': buildPolicy(frame),
  'Cache-Control': 'private, no-cache',
  ...(frame.isolation === 'own_host'
    ? { 'Cross-Origin-Resource-Policy': 'same-origin' }
    : { 'Cross-Origin-Resource-Policy': 'cross-origin', 'Access-Control-Allow-Origin': '*' }),
})

/** Headers of a refusal, which contains nothing of the bundle. */
export const refusalHeaders: Readonly<Record<string, string>> = {
  ...always,
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  'Content-Type': 'text/plain; charset=utf-8',
}
