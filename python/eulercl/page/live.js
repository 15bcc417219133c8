// SPDX-License-Identifier: BSD-2-Clause
// A live view of a run: a picture, sliders, a brush and a probe. It talks to the run by model.send
// and model.on, those of anywidget in a notebook, and of socketModel in a page. view.html has the
// elements.

const notFinite = [128, 128, 128]; // also of obstacles
const arrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
const fullSpeed = 41; // of the slider

// Colours of the bytes 0 to 254, and of 255, which is no number.
function colourTable(anchors) {
  anchors = anchors.split(" ").map(
    colour => [0, 2, 4].map(at => parseInt(colour.slice(at, at + 2), 16)));
  const bytes = new Uint8Array(4 * 256);
  for (let i = 0; i < 256; i++) {
    const at = i / 254 * (anchors.length - 1), k = Math.min(Math.floor(at), anchors.length - 2);
    const between = (low, c) => Math.round(low + (anchors[k + 1][c] - low) * (at - k));
    bytes.set([...i == 255 ? notFinite : anchors[k].map(between), 255], 4 * i);
  }
  return new Uint32Array(bytes.buffer);
}

const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
const shortly = value => value == null ? "?" : String(Number(value.toPrecision(6)));
const clamp = (low, value, high) => Math.max(low, Math.min(value, high));

function save(name, blob) {
  const link = make("a", {download: name, href: URL.createObjectURL(blob)});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// Show a value, unless the user holds the element, which may be in a shadow tree as in marimo.
function show(element, value) {
  if (element.getRootNode().activeElement != element) element.value = value;
}

// Draw a line through values from 0 to 1.
function plot(canvas, values) {
  const context = canvas.getContext("2d"), {width, height} = canvas;
  context.clearRect(0, 0, width, height);
  Object.assign(context, {strokeStyle: "#1f4e9e", lineWidth: 2});
  context.beginPath();
  values.forEach((value, k) => context[isFinite(values[k - 1]) ? "lineTo" : "moveTo"](
    k / Math.max(1, values.length - 1) * width, (1 - value) * (height - 4) + 2));
  context.stroke();
}

class View {
  constructor(model, element) {
    Object.assign(this, {model, element, sliders: {}, changes: {}, pictures: [], rates: []});
    this.view = {component: 0, across: null, low: null, high: null, mode: "mean", axis: 2};
    element.classList.add("eulercl-live");
    element.dataset.lmSuppressShortcuts = "true"; // JupyterLab leaves the keys to the page
    this.controls = element.querySelector("form").elements;
    [this.canvas, this.traceCanvas] = element.querySelectorAll("canvas");
    [this.status, this.traceText] = element.querySelectorAll(".status");
    this.notice = element.querySelector(".notice");
    this.mark = element.querySelector(".mark");
    this.listen();
    this.listener = (content, buffers) => this[`on_${content.type}`](content, buffers);
    model.on("msg:custom", this.listener);
    this.send("join");
  }

  // The notebook has removed the element for good.
  close() {
    this.model.off("msg:custom", this.listener);
    this.pictures = [];
    this.send("leave");
  }

  send(type, content) { this.model.send({type, ...content}); }

  // ---- what the user does ----

  listen() {
    const {canvas, element, controls} = this;
    const commands = { // other buttons have the names of messages
      play: () => this.send("play", {on: !this.state?.playing}),
      auto: () => this.send("h", {value: "auto"}),
      png: () => canvas.toBlob(blob => save("eulercl.png", blob)),
      link: () => this.copyLink(),
    };
    const changes = {
      speed: k => this.send("speed", {steps: k == fullSpeed ? null : Math.round(10 ** (k / 10))}),
      h: value => this.send("h", {value: value ?? "auto"}),
      table: () => this.draw(),
      across: across => { this.probe(null); this.look({across}); },
      axis: axis => this.look({axis, index: null}),
      radius: () => this.showBrush(),
    };
    element.onclick = ({target: {type, name}}) => {
      if (type == "button" && name) (commands[name] ?? (() => this.send(name)))();
    };
    // Sliders act while they move, but for whole numbers, which may start the run again.
    element.oninput = element.onchange = ({type, target}) => {
      if ((type == "input") != (target.type == "range" && target.step != 1)) return;
      const {name, value: text} = target;
      const value = text === "" ? null : isNaN(text) ? text : Number(text);
      if (name in changes) changes[name](value);
      else if (name in this.view) this.look({[name]: value});
      else if (target.dataset.name && value != null) this.set(target.dataset.name, value);
    };
    let isPainting = false, last = null;
    canvas.onpointermove = event => {
      const place = this.place(event);
      if (!place) return;
      this.probe(place);
      if (isPainting) this.stroke(place, last ?? place);
      last = place;
    };
    canvas.onpointerdown = event => {
      canvas.setPointerCapture(event.pointerId);
      isPainting = controls.paint.checked;
      last = null;
      canvas.onpointermove(event);
      event.preventDefault();
      canvas.focus();
    };
    canvas.onpointerup = canvas.onpointercancel = () => { isPainting = false; };
    element.onkeydown = event => {
      const {key, target} = event;
      if (event.ctrlKey || event.altKey || event.metaKey || target.matches("input, select")) return;
      if (target.matches("button") && [" ", "Enter"].includes(key)) return;
      const control = element.querySelector(`[data-key="${CSS.escape(key)}"]`);
      if (control) control.click();
      else if (key in arrows) this.move(...arrows[key]);
      else if (key == "Enter" && this.cursor) this.stroke(this.cursor, this.cursor);
      else if (key == "[") controls.radius.value--;
      else if (key == "]") controls.radius.value++;
      else return;
      event.preventDefault();
      this.showBrush();
    };
  }

  look(change) {
    Object.assign(this.view, change);
    this.send("view", this.view);
  }

  // Send the last value of a parameter once in a while: a slider that moves makes hundreds.
  set(name, value) {
    this.changes[name] = value;
    this.timer ??= setTimeout(() => {
      for (const [name, value] of Object.entries(this.changes)) this.send("set", {name, value});
      Object.assign(this, {changes: {}, timer: null});
    }, 15);
  }

  copyLink() {
    const url = new URL(location.href);
    url.hash = new URLSearchParams(this.state.parameters);
    navigator.clipboard?.writeText(url.href);
    if (this.model.isPage) history.replaceState(null, "", url);
  }

  // ---- places ----

  // The point of the grid under the pointer: its column and row in the picture, and in 1-D the
  // value at its height.
  place(event) {
    const {frame} = this, box = this.canvas.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width, y = (event.clientY - box.top) / box.height;
    if (!frame || frame.across != null || !(x >= 0 && x < 1 && y >= 0 && y < 1)) return null;
    const [width, height] = frame.size, place = {
      across: Math.floor(x * width), up: height - 1 - Math.floor(y * height)};
    if (this.isLine(frame)) place.value = frame.low + (1 - y) * (frame.high - frame.low);
    return place;
  }

  move(dx, dy) {
    if (!this.frame || this.frame.across != null) return;
    const [width, height] = this.frame.size;
    const {across, up} = this.cursor ?? {across: width >> 1, up: height >> 1};
    this.probe({across: clamp(0, across + dx, width - 1), up: clamp(0, up + dy, height - 1)});
  }

  // The indices along x, y and z.
  indices({across, up}) {
    const {axis, index} = this.frame, place = [across, up].slice(0, this.hello.extents.length);
    if (index != null) place.splice(axis, 0, index);
    return place;
  }

  probe(place) {
    this.cursor = place;
    this.send("probe", {place: place && this.indices(place)});
    this.showBrush();
  }

  showBrush() {
    const {cursor, mark, controls: {radius, points}} = this;
    points.value = radius.value;
    mark.hidden = !cursor;
    if (!cursor) return;
    const [width, height] = this.frame.size;
    mark.style.left = `${(cursor.across + 0.5) / width * 100}%`;
    mark.style.top = this.isLine(this.frame) ? 0 : `${(1 - (cursor.up + 0.5) / height) * 100}%`;
    mark.style.width = `${(2 * radius.value + 1) / width * 100}%`;
  }

  stroke(place, from) {
    const {radius, value} = this.controls, dx = place.across - from.across, dy = place.up - from.up;
    const count = clamp(1, Math.ceil(2 * Math.hypot(dx, dy) / radius.value), 255);
    const places = Array.from({length: count + 1}, (_, k) => this.indices(
      {across: from.across + dx * k / count, up: from.up + dy * k / count}));
    this.send("stroke", {stroke: {component: this.view.component, places,
      radius: Number(radius.value), value: place.value ?? Number(value.value)}});
  }

  // ---- messages of the run ----

  on_hello(hello) {
    const isFirst = !this.hello, {view, controls} = this, rank = hello.extents.length;
    Object.assign(this, {hello, cursor: null});
    this.showBrush();
    if (isFirst) Object.assign(view, {component: hello.component, across: hello.across});
    this.element.querySelector("b").textContent = `${hello.name}: ${hello.title}`;
    const options = () => hello.components.map((name, c) => new Option(name, c));
    controls.component.replaceChildren(...options());
    controls.across.replaceChildren(new Option("place", ""), ...options());
    controls.component.value = view.component;
    controls.across.value = view.across ?? "";
    controls.across.parentNode.hidden = rank > 1 || hello.components.length < 2;
    controls.axis.parentNode.hidden = rank < 3;
    controls.source.hidden = !hello.has_source;
    const [legend] = controls.parameters.children;
    controls.parameters.replaceChildren(legend, ...hello.parameters.map(one => this.slider(one)));
    const width = Math.round(this.canvas.clientWidth * devicePixelRatio) || 512;
    this.look({index: null, width: clamp(16, width, 1024), height: 1024});
    if (!isFirst || !this.model.isPage) return;
    this.canvas.focus({preventScroll: true}); // for the keys
    for (const [name, value] of new URLSearchParams(location.hash.slice(1)))
      if (name in this.sliders && isFinite(value)) this.send("set", {name, value: Number(value)});
  }

  // The slider of a parameter and its number. Its ends are around the value, within its bounds.
  slider({name, value, min, max, integer, unit, doc}) {
    const range = make("input", {type: "range"}), number = make("input", {type: "number"});
    const label = make("label", {title: doc}), text = name + (unit ? ` [${unit}]` : "");
    number.step = "any";
    range.dataset.name = number.dataset.name = name;
    label.append(make("span", {textContent: text}), range, number);
    this.sliders[name] = value => {
      if (!(range.max && value >= Number(range.min) && value <= Number(range.max))) {
        const ends = value > 0 ? [0, 4 * value] : value < 0 ? [4 * value, 0] : [-1, 1];
        Object.assign(range, {min: Math.max(min ?? -Infinity, ends[0]), step: integer ? 1 : "any",
          max: Math.min(max ?? Infinity, ends[1])});
      }
      show(range, value);
      show(number, shortly(value));
    };
    this.sliders[name](value);
    return label;
  }

  on_file({name}, buffers) { save(name, new Blob(buffers)); }

  on_error({text, log}) { this.say(log ? `${text}\n${log}` : text, ["ok", () => this.say()]); }

  on_lost() { this.say("The connection is lost.", ["connect again", () => location.reload()]); }

  say(text, ...fixes) {
    const buttons = fixes.map(([textContent, onclick]) =>
      make("button", {type: "button", textContent, onclick}));
    this.notice.replaceChildren(...text ? [text + " ", ...buttons] : []);
  }

  // The run sends two pictures ahead. The screen shows one after the other, and a page that is
  // hidden shows none, also where a notebook has only taken the element from its page.
  on_frame(frame, [{buffer, byteOffset, byteLength}]) {
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    const data = this.isLine(frame) ? new Float32Array(bytes.slice().buffer) : bytes;
    this.pictures.push({frame, data});
    if (this.pictures.length == 1) requestAnimationFrame(() => this.next());
  }

  next() {
    if (!this.pictures.length) return;
    if (!this.element.isConnected) return void setTimeout(() => this.next(), 200);
    const before = this.frame, {frame} = Object.assign(this, this.pictures.shift());
    if (this.pictures.length) requestAnimationFrame(() => this.next());
    this.send("ack", {frame: frame.number});
    this.draw();
    this.tell();
    this.follow(frame.state);
    if (frame.probe) this.drawTrace(frame);
    if (this.cursor && (frame.axis != before.axis || frame.index != before.index)) this.move(0, 0);
  }

  tell() {
    const {t, steps, low, high, n, mode, state} = this.frame, now = performance.now();
    this.rates = [...this.rates.filter(one => one.now > now - 2000), {now, steps}];
    const [first] = this.rates, seconds = (now - first.now) / 1000;
    const rate = count => seconds > 0 ? Math.max(0, Math.round(count / seconds)) : 0;
    this.status.textContent = [`t = ${shortly(t)}`, `step ${steps}`,
      `${rate(steps - first.steps)} steps/s`, `${rate(this.rates.length - 1)} pictures/s`,
      `${shortly(low)} to ${shortly(high)}`, ...n > 1 ? [`${mode} of ${n} x ${n} points`] : [],
      ...state.painted ? ["painted"] : []].join(", ");
  }

  // Show what holds for the run, also if another page has changed it.
  follow(state) {
    const {controls, frame} = this, {speed, notice} = state;
    if (JSON.stringify(notice) != JSON.stringify(this.state?.notice ?? null))
      this.say(notice?.text, ...notice?.fixes.map(
        ({text, message}) => [text, () => this.model.send(message)]) ?? []);
    this.state = state;
    controls.play.textContent = state.playing ? "pause" : "play";
    for (const [name, value] of Object.entries(state.parameters)) this.sliders[name]?.(value);
    show(controls.h, state.h == null ? "" : shortly(state.h));
    controls.h.disabled = state.h == null;
    controls.limit.value =
      (state.auto ? "auto " : "") + (state.limit ? `< ${state.limit.toPrecision(3)}` : "");
    show(controls.speed, speed == null ? fullSpeed : 10 * Math.log10(speed));
    controls.steps.value = speed == null ? `all (${frame.batch})` : speed;
    if (frame.index == null) return;
    controls.index.max = this.hello.extents[frame.axis] - 1;
    show(controls.index, frame.index);
    controls.at.value = frame.index;
  }

  // ---- pictures ----

  isLine(frame) { return this.hello.extents.length == 1 && frame.across == null; }

  draw() {
    if (!this.frame) return;
    const {canvas, data} = this, isLine = this.isLine(this.frame);
    const {width, height} = isLine ? {width: 800, height: 400} : this.frame;
    if (canvas.width != width || canvas.height != height) Object.assign(canvas, {width, height});
    canvas.parentNode.style.setProperty("--shape", width / height);
    canvas.classList.toggle("points", !isLine);
    if (isLine) return plot(canvas, data);
    const colours = colourTable(this.controls.table.selectedOptions[0].dataset.colours);
    const context = canvas.getContext("2d"), image = context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    for (let row = 0; row < height; row++) // row 0 of the grid is the lowest one
      for (let k = 0, from = row * width, to = (height - 1 - row) * width; k < width; k++)
        pixels[to + k] = colours[data[from + k]];
    context.putImageData(image, 0, 0);
  }

  // The course of the values at a place.
  drawTrace({place, probe}) {
    if (this.trace?.place != `${place}`) this.trace = {place: `${place}`, values: []};
    const value = probe[Math.min(this.view.component, probe.length - 1)] ?? NaN;
    const values = this.trace.values = [...this.trace.values.slice(-499), value];
    const finite = values.filter(isFinite), low = Math.min(...finite), high = Math.max(...finite);
    plot(this.traceCanvas, values.map(x => high > low ? (x - low) / (high - low) : 0.5));
    this.traceText.textContent = `(${place}): ` +
      this.hello.components.map((name, c) => `${name} = ${shortly(probe[c])}`).join(", ");
  }
}

// The model of anywidget over a socket: a message is the length of its text, the text, and bytes.
function socketModel(address) {
  const listeners = [], socket = new WebSocket(address);
  const tell = (content, buffers) => listeners.forEach(listener => listener(content, buffers));
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({data}) => {
    const length = new DataView(data).getUint32(0, true);
    const text = new TextDecoder().decode(new Uint8Array(data, 4, length));
    tell(JSON.parse(text), [new DataView(data, 4 + length)]);
  };
  socket.onclose = () => tell({type: "lost"});
  const send = message =>
    message.type != "join" && socket.readyState == 1 && socket.send(JSON.stringify(message));
  return {send, isPage: true, on: (name, listener) => listeners.push(listener)};
}

export default {render({model, el}) {
  el.innerHTML = model.get("page");
  const view = new View(model, el);
  return () => view.close();
}};

const main = document.getElementById("eulercl-live");
if (main) new View(socketModel(`ws://${location.host}/socket${location.search}`), main);
