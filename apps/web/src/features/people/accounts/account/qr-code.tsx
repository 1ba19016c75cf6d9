import encodeQR from 'qr'

/** QR code as one SVG path. Dark on light in both themes, as cameras expect. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const modules = encodeQR(text, 'raw', { border: 3, ecc: 'medium' })
  const size = modules.length
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-44 shrink-0 rounded-md"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#111" d={path} />
    </svg>
  )
}
