// A notebook cell with a page in a frame: the selection and the stop are exchanged in both directions.

function render({ model, el }) {
  const frame = document.createElement("iframe");
  let isHearing = false;
  const send = () => {
    const porank = { stop: model.get("alpha"), selected: model.get("selected") };
    if (!isHearing && frame.contentWindow) frame.contentWindow.postMessage({ porank }, "*");
  };
  const hear = ({ source, data }) => {
    if (source !== frame.contentWindow || !data.porank) return;
    isHearing = true;
    model.set("alpha", data.porank.stop);
    model.set("selected", data.porank.selected);
    isHearing = false;
    model.save_changes();
  };
  model.on("change:alpha change:selected", send);
  window.addEventListener("message", hear);
  frame.addEventListener("load", send);
  frame.title = "Order";
  frame.style = "width: 100%; height: 600px; border: 0";
  frame.srcdoc = model.get("_page");
  el.append(frame);
  return () => {
    window.removeEventListener("message", hear);
    model.off("change:alpha change:selected", send);
  };
}

export default { render };
