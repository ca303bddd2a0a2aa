// odata-generate: OldWorkshop. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The metadata that the classes were made from.
enum OldWorkshopMetadataText {
    static let xml = """
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<edmx:Edmx Version=\"1.0\" xmlns:edmx=\"http://schemas.microsoft.com/ado/2007/06/edmx\">
<edmx:DataServices m:DataServiceVersion=\"2.0\"
  xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\">
<Schema Namespace=\"Ws\" xmlns=\"http://schemas.microsoft.com/ado/2008/09/edm\">
<ComplexType Name=\"Size\"><Property Name=\"Height\" Type=\"Edm.Int32\"/></ComplexType>
<EntityType Name=\"Tool\"><Key><PropertyRef Name=\"Id\"/></Key>
<Property Name=\"Id\" Type=\"Edm.Int32\" Nullable=\"false\"/>
<Property Name=\"Title\" Type=\"Edm.String\" MaxLength=\"80\"/>
<Property Name=\"Price\" Type=\"Edm.Decimal\" Precision=\"9\" Scale=\"2\"/>
<Property Name=\"Size\" Type=\"Ws.Size\" Nullable=\"false\"/>
<Property Name=\"OwnerId\" Type=\"Edm.Int32\"/>
<NavigationProperty Name=\"Owner\" Relationship=\"Ws.Owns\" FromRole=\"Tool\" ToRole=\"Member\"/>
<NavigationProperty Name=\"Helpers\" Relationship=\"Ws.Helps\" FromRole=\"Tool\" ToRole=\"Member\"/></EntityType>
<EntityType Name=\"PowerTool\" BaseType=\"Ws.Tool\"><Property Name=\"Watts\" Type=\"Edm.Int32\"/></EntityType>
<EntityType Name=\"Member\"><Key><PropertyRef Name=\"Id\"/></Key>
<Property Name=\"Id\" Type=\"Edm.Int32\" Nullable=\"false\"/>
<Property Name=\"Name\" Type=\"Edm.String\"/></EntityType>
<EntityType Name=\"Photo\" m:HasStream=\"true\"><Key><PropertyRef Name=\"Id\"/></Key>
<Property Name=\"Id\" Type=\"Edm.Int32\" Nullable=\"false\"/>
<Property Name=\"Name\" Type=\"Edm.String\"/></EntityType>
<Association Name=\"Owns\"><End Role=\"Tool\" Type=\"Ws.Tool\" Multiplicity=\"*\"/>
<End Role=\"Member\" Type=\"Ws.Member\" Multiplicity=\"0..1\"/>
<ReferentialConstraint><Principal Role=\"Member\"><PropertyRef Name=\"Id\"/></Principal>
<Dependent Role=\"Tool\"><PropertyRef Name=\"OwnerId\"/></Dependent></ReferentialConstraint></Association>
<Association Name=\"Helps\"><End Role=\"Tool\" Type=\"Ws.Tool\" Multiplicity=\"*\"/>
<End Role=\"Member\" Type=\"Ws.Member\" Multiplicity=\"*\"/></Association>
<EntityContainer Name=\"C\" m:IsDefaultEntityContainer=\"true\">
<EntitySet Name=\"Tools\" EntityType=\"Ws.Tool\"/><EntitySet Name=\"Members\" EntityType=\"Ws.Member\"/>
<EntitySet Name=\"Photos\" EntityType=\"Ws.Photo\"/>
<AssociationSet Name=\"OwnsSet\" Association=\"Ws.Owns\"><End Role=\"Tool\" EntitySet=\"Tools\"/>
<End Role=\"Member\" EntitySet=\"Members\"/></AssociationSet>
<AssociationSet Name=\"HelpsSet\" Association=\"Ws.Helps\"><End Role=\"Tool\" EntitySet=\"Tools\"/>
<End Role=\"Member\" EntitySet=\"Members\"/></AssociationSet>
<FunctionImport Name=\"Count\" ReturnType=\"Edm.Int32\" m:HttpMethod=\"GET\">
<Parameter Name=\"kind\" Type=\"Edm.String\" Mode=\"In\"/></FunctionImport>
<FunctionImport Name=\"Motto\" ReturnType=\"Edm.String\" m:HttpMethod=\"GET\"/>
<FunctionImport Name=\"Words\" ReturnType=\"Collection(Edm.String)\" m:HttpMethod=\"GET\"/>
<FunctionImport Name=\"Best\" ReturnType=\"Ws.Tool\" EntitySet=\"Tools\" m:HttpMethod=\"GET\"/>
<FunctionImport Name=\"Worst\" ReturnType=\"Ws.Tool\" EntitySet=\"Tools\" m:HttpMethod=\"GET\"/>
<FunctionImport Name=\"Lost\" ReturnType=\"Ws.Tool\" EntitySet=\"Tools\" m:HttpMethod=\"GET\"/>
<FunctionImport Name=\"Cheap\" ReturnType=\"Collection(Ws.Tool)\" EntitySet=\"Tools\" m:HttpMethod=\"GET\"/>
<FunctionImport Name=\"Sizes\" ReturnType=\"Collection(Ws.Size)\" m:HttpMethod=\"GET\"/>
<FunctionImport Name=\"Resize\" ReturnType=\"Ws.Size\" m:HttpMethod=\"POST\">
<Parameter Name=\"height\" Type=\"Edm.Int32\" Mode=\"In\"/></FunctionImport>
</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
"""
}
