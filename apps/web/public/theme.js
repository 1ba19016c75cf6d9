// Runs before the first paint, so that a chosen theme does not flash. The policy of the page allows no inline script.
try {
  const theme = localStorage.getItem('docket.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage can be forbidden; the system's theme is used then.
}
