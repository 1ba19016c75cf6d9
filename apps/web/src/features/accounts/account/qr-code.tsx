import encodeQR from 'qr'

/** A QR code as one path, because the page allows no markup from elsewhere. Dark on light in both themes: cameras expect it. */
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
