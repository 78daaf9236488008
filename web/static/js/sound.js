// Sounds of a trial, for who looks at the tray and not at the phone: a bell, or two low notes.

const BELL = [[880, 0]];
const QUESTION = [[330, 0], [262, 0.18]];
const NOTE_S = 0.16;

let context = null;

/** Switch the sound on or off; a browser lets nothing sound before somebody has tapped. */
export function switchSound(button) {
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  if (on) {
    context ??= new AudioContext();
    context.resume();
    play(BELL);
  } else {
    context?.suspend();
  }
}

/** Ring if something was counted, or is asked about. */
export function ring(isCounted, isAsked) {
  if (!isCounted && !isAsked) return;
  navigator.vibrate?.(isAsked ? [120, 80, 120] : 60);
  if (context?.state === "running") play(isAsked ? QUESTION : BELL);
}

function play(notes) {
  for (const [pitch, after] of notes) {
    const note = new OscillatorNode(context, { frequency: pitch });
    const loudness = new GainNode(context, { gain: 0 });
    const from = context.currentTime + after;
    loudness.gain.setValueAtTime(0.25, from);
    loudness.gain.exponentialRampToValueAtTime(0.001, from + NOTE_S);
    note.connect(loudness).connect(context.destination);
    note.start(from);
    note.stop(from + NOTE_S);
  }
}
