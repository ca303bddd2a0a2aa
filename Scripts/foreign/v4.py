"""python-odata, a client of V4 that is not ours, at work with a companion service. usage: v4.py ROOT"""
import json
import sys

import requests
from odata import ODataService
from odata.flags import ODataServerFlags

done = []


def check(label, condition):
    done.append(condition)
    print(("ok   " if condition else "FAIL ") + label, flush=True)


root = sys.argv[1]
service = ODataService(
    root,
    reflect_entities=True,
    quiet_progress=True,
    server_flags=ODataServerFlags(provide_odata_type_annotation=False),
)
check("metadata: sets", {"Customers", "Orders", "Tags"} <= set(service.entities))
Customer, Order, Tag = (service.entities[name] for name in ("Customers", "Orders", "Tags"))

check("list with its pages", sorted(o.Id for o in service.query(Order)) == list(range(1, 11)))
check("filter", [t.Label for t in service.query(Tag).filter(Tag.Code == "O'Hara")] == ["quoted"])
check("order", service.query(Order).order_by(Order.Id.desc()).limit(1).first().Id == 10)
check("read by key", service.query(Order).get(3).Title == "order 3")

tag = Tag()
tag.Code, tag.Label = "by python-odata", "new"
service.save(tag)
check("create", service.query(Tag).get("by python-odata").Label == "new")
tag.Label = "changed"
service.save(tag)
check("change", service.query(Tag).get("by python-odata").Label == "changed")
service.delete(tag)
check("delete", "by python-odata" not in [t.Code for t in service.query(Tag)])

order = Order()
order.Title, order.CustomerId = "foreign", "c-1"
service.save(order)
check("create with a key of the service", order.Id > 10)
order.Title = "changed"
service.save(order)
check("change of it", service.query(Order).get(order.Id).Title == "changed")

check("navigation to one", service.query(Order).get(1).Customer.Id == "c-1")
check("navigation to many", len(list(service.query(Customer).get("c-1").Orders)) > 0)
expanded = service.query(Order).expand(Order.Customer).filter(Order.Id == 2).first()
check("expand", expanded.Customer.Id == "c-2")

# The client has no batches: the request is the one of the text (JSON Format 4.01, section 19).
batch = requests.post(
    root + "$batch",
    json={
        "requests": [
            {"id": "1", "method": "GET", "url": "Tags('plain')"},
            {"id": "2", "atomicityGroup": "g", "method": "POST", "url": "Tags",
             "headers": {"content-type": "application/json"}, "body": {"Code": "b1", "Label": "x"}},
            {"id": "3", "atomicityGroup": "g", "method": "DELETE", "url": "Tags('last')"},
        ]
    },
)
answers = {answer["id"]: answer for answer in json.loads(batch.text)["responses"]}
check("batch", answers["1"]["body"]["Code"] == "plain" and answers["2"]["status"] == 201 and answers["3"]["status"] == 204)

print(f"{sum(done)} of {len(done)}")
sys.exit(0 if all(done) else 1)
