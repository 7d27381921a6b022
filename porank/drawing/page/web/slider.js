// The slider, and the texts about its position.

// The slider, and the marks of the chart, which show its position.

const marks = document.querySelectorAll("#curve-part .stop");
const stopOf = (mark) => Number(mark.dataset.stop);
marks.forEach((mark) => mark.addEventListener("click", () => change({ stop: stopOf(mark) })));

function showThreshold(stop) {
  byId("threshold").value = state.stop;
  byId("threshold").setAttribute("aria-valuetext", stop.title);
  byId("alpha").textContent = stop.alpha ?? stop.title;
  byId("other").value = state.other ?? "";
  byId("remarks").textContent = stop.remarks;
  marks.forEach((mark) => mark.classList.toggle("here", stopOf(mark) === state.stop));
}
