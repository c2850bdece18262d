/** The length of a video or audio file in seconds, read by the browser; null if it cannot tell. */
export function readDuration(address: string, kind: 'video' | 'audio'): Promise<number | null> {
  return new Promise((resolve) => {
    const player = document.createElement(kind)
    const end = (seconds: number | null) => {
      player.removeAttribute('src')
      player.load()
      resolve(seconds)
    }
    player.preload = 'metadata'
    player.onloadedmetadata = () => end(Number.isFinite(player.duration) ? Math.round(player.duration) : null)
    player.onerror = () => end(null)
    player.src = address
  })
}
